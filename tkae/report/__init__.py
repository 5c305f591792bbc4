"""Reports: tables and figures of what was measured, beside the paper's own numbers."""
