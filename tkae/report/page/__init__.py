"""The page: `report/index.html`, what was measured beside what the paper prints, from the records alone.

Modules here say what is shown (`content` puts it together); the templates say how it looks. One file holds
text, style and pictures, so that it opens from disk without a network; tables and figures to take away lie
beside it.
"""
