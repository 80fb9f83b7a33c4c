"""Sheets on paper: their layout and the PDF."""
