"""The league's PDFs, one module per document."""
