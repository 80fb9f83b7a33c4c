"""The league's PDFs, one module for each kind of paper."""
