insert into order_lines
    select o, 1 + floor(power(random(), 2) * 2000)::integer, 1 + floor(random() * 4)::integer,
        5 + floor(random() * 20000) / 100
    from generate_series(?::integer, ?::integer) as o, generate_series(1, 3);
