/* corral:trending */ with cutoff as (
    select timestamp '2026-01-01' - make_interval(secs => ?) as recent,
        timestamp '2026-01-01' - make_interval(secs => 2 * ?) as before
), recent as (
    select l.product_id, sum(l.quantity) as units, sum(l.quantity * l.unit_price) as revenue,
        count(distinct o.customer_id) as buyers
    from order_lines l join orders o on o.id = l.order_id
    where o.placed_at >= (select recent from cutoff)
    group by l.product_id
), earlier as (
    select l.product_id, sum(l.quantity) as units
    from order_lines l join orders o on o.id = l.order_id
    where o.placed_at >= (select before from cutoff) and o.placed_at < (select recent from cutoff)
    group by l.product_id
), usual as (
    select p.category, avg(r.units) as units, avg(r.revenue) as revenue
    from recent r join products p on p.id = r.product_id
    group by p.category
)
select p.id, p.name, p.price, r.units, r.revenue, r.buyers, r.units - coalesce(e.units, 0) as rise
from recent r
    join products p on p.id = r.product_id
    join usual u on u.category = p.category
    left join earlier e on e.product_id = r.product_id
where r.revenue > u.revenue
    and p.price < (select max(price) from products same where same.category = p.category)
order by (r.units - coalesce(e.units, 0)) / u.units desc, p.id
limit 20
