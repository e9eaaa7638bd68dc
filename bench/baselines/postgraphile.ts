/** PostGraphile over the same tables as their owner, so without sessions and row security. */

import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const { DATABASE_URL, PORT, BASELINE_CONNECTIONS } = process.env
// PostGraphile warns about types and names that it does not support; the bench queries none of them.
for (const way of ['warn', 'error'] as const) console[way] = () => undefined

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: DATABASE_URL ?? '',
      schemas: ['public'],
      poolConfig: { max: Number(BASELINE_CONNECTIONS) },
    }),
  ],
  grafserv: { watch: false, graphiql: false },
})
const serve = instance.createServ(grafserv).createHandler()
await instance.getSchema()
createServer((request, response) => {
  if (request.url === '/readyz') response.end('ready')
  else serve(request, response)
}).listen(Number(PORT), '127.0.0.1')
