# SPDX-License-Identifier: Apache-2.0
# A database in memory: insertion, index, join, aggregation, sorting, a text search.
cat > /work.sql <<'END'
create table item(id integer primary key, kind integer, price real, name text);
insert into item with recursive n(i, r) as (values(1, 1) union all
	select i + 1, (r * 16807) % 2147483647 from n where i < 8000)
	select i, r % 17, (r % 10000) / 100.0, printf('item %x', r) from n;
create index by_kind on item(kind);
create table kind as select distinct kind as id, 'kind ' || kind as name from item;
select count(*), round(sum(price), 2) from item;
select kind.name, count(*), round(avg(price), 3) from item join kind on kind.id = item.kind
	group by kind.name order by 2 desc, 1 limit 4;
select count(*) from item where name like '%be%f%';
update item set price = price * 2 where kind in (3, 5);
delete from item where id % 3 = 0;
select count(*), round(max(price), 2) from item;
select * from (select name, rank() over (partition by kind order by price) as place from item where kind = 2)
	where place = 7;
END
traced /usr/bin/sqlite3 -batch -init /work.sql :memory: .quit
