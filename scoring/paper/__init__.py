"""Sheets on paper: which figure goes in which cell, and the PDF."""
