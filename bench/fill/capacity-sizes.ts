import type pg from 'pg'

type Size = { table: string; rows: number; heapBytes: number; indexes: { name: string; bytes: number }[] }

/** Sizes of all tables with enough rows to estimate the size of one. */
export async function readSizes(owner: pg.Client): Promise<Size[]> {
  const tables = await owner.query<{ name: string; rows: string; heap: string }>(
    `select relname as name, reltuples::bigint as rows, pg_table_size(oid) as heap from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 5000 and relname not like 'bench%' order by 3 desc`,
  )
  const sizes: Size[] = []
  for (const { name, rows, heap } of tables.rows) {
    const indexes = await owner.query<{ name: string; bytes: string }>(
      `select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as bytes from pg_index
       where indrelid = $1::regclass order by 2 desc`,
      [name],
    )
    sizes.push({
      table: name,
      rows: Number(rows),
      heapBytes: Number(heap),
      indexes: indexes.rows.map(({ name: index, bytes }) => ({ name: index, bytes: Number(bytes) })),
    })
  }
  return sizes
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
const aHundredMillion = 100_000_000
/** Entries per page of a UUID index that is two thirds full. */
const entriesOfPage = 140

/** Extrapolates linearly; index trees gain a level when their number of pages requires it. */
export function describeExtrapolation(sizes: readonly Size[]): void {
  console.log('  Size of a row, and of a hundred million')
  for (const { table, rows, heapBytes, indexes } of sizes) {
    const indexBytes = indexes.reduce((sum, { bytes }) => sum + bytes, 0)
    const all = ((heapBytes + indexBytes) / rows) * aHundredMillion
    console.log(
      `    ${table.padEnd(26)} ${rows} rows, ${(heapBytes / rows).toFixed(0)} bytes and ${(indexBytes / rows).toFixed(0)} of indexes: ${gigabytes(all)}, of which indexes ${gigabytes((indexBytes / rows) * aHundredMillion)}`,
    )
    for (const { name, bytes } of indexes)
      console.log(
        `      ${name.padEnd(60)} ${(bytes / rows).toFixed(1).padStart(6)} bytes a row, ${levels(bytes / 8192)} levels, ${levels(((bytes / rows) * aHundredMillion) / 8192)} then`,
      )
  }
}

function levels(pages: number): number {
  return Math.max(1, 1 + Math.ceil(Math.log(Math.max(1, pages)) / Math.log(entriesOfPage)))
}
