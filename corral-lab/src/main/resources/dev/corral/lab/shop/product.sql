select id, name, category, price, stock from products where id = ?
