import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { listen, readText } from './http-server.ts'

/**
 * `POST /control/<name>` with a JSON array of arguments calls the function of that name, on its own loopback port,
 * because the platform's port is closed while the platform is down. Only JSON is accepted: a web page cannot send it to
 * another origin without a CORS preflight, which fails here.
 */
export async function openControlServer(control: object, port: number): Promise<{ server: Server; port: number }> {
  const functions = new Map<string, (...values: never[]) => unknown>(Object.entries(control))
  const server = createServer((request, response) => {
    serve(functions, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : 'failed'
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: message }))
    })
  })
  return { server, port: await listen(server, port) }
}

type Functions = ReadonlyMap<string, (...values: never[]) => unknown>

async function serve(functions: Functions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = /^\/control\/(\w+)$/.exec(request.url ?? '')?.[1] ?? ''
  const wanted = functions.get(name)
  const isJson = request.headers['content-type'] === 'application/json'
  if (request.method !== 'POST' || !isJson || wanted === undefined) {
    response.writeHead(404).end()
    return
  }
  const text = await readText(request)
  const values = JSON.parse(text === '' ? '[]' : text) as never[]
  const result = (await wanted(...values)) ?? null
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result }))
}
