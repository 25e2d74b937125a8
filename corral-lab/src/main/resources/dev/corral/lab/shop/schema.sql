create unlogged table products (
    id integer primary key,
    name text not null,
    category integer not null,
    price numeric(10, 2) not null,
    stock integer not null
);
-- Without it the sub-query for a category's highest price costs 0.4 s however few orders there are.
create index products_by_price on products (category, price);
create unlogged table orders (
    id integer primary key,
    customer_id integer not null,
    placed_at timestamp not null
);
create unlogged table order_lines (
    order_id integer not null,
    product_id integer not null,
    quantity integer not null,
    unit_price numeric(10, 2) not null
);
insert into products
    select i, 'Product ' || i, i % 40, 5 + (i * 7919 % 20000) / 100.0, i * 31 % 500
    from generate_series(1, 2000) as i;
