insert into orders
    select i, 1 + floor(random() * 20000)::integer, timestamp '2026-01-01' - random() * interval '365 days'
    from generate_series(?::integer, ?::integer) as i;
