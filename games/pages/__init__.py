"""The pages of games; each is a view with its queries and one template."""
