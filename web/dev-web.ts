import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import {
  createServer as createHttp,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
const pages = ['portal/index.html', 'portal/sign-in.html', 'desk/index.html', 'viewer/index.html', 'viewer/form.html']
const preamble = '/@id/@vitejs/plugin-react/preamble'

type DevWeb = { folder: string; close(): Promise<void> }
type Options = { host: string; port: number; portOfServer(): number }

/**
 * Vite serves the modules with hot reload; the server serves everything else, including pages, with its headers, brand and
 * content security policy. `folder` replaces the built web for the server.
 */
export async function openDevWeb({ host, port, portOfServer }: Options): Promise<DevWeb> {
  const http = createHttp()
  const vite = await createServer({
    configFile: join(here, 'vite.config.ts'),
    server: { middlewareMode: true, ws: { server: http }, cors: false },
    appType: 'custom',
  })
  http.on('request', (request, response) => {
    if (isModule(request)) vite.middlewares(request, response)
    else forward(request, response, portOfServer())
  })
  await new Promise<void>((resolve, reject) => http.once('error', reject).listen(port, host, resolve))
  const folder = writePages()
  return {
    folder,
    async close() {
      await vite.close()
      http.closeAllConnections()
      http.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isModule({ url = '/' }: IncomingMessage): boolean {
  const path = decodeURIComponent(url.split('?')[0] ?? '/')
  if (/^\/(@|node_modules\/|\.vite\/)/.test(path)) return true
  const file = join(here, path)
  return extname(path) !== '' && existsSync(file) && statSync(file).isFile()
}

function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = request
  const onward = requestHttp({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

/** Writes the source pages with Vite's scripts as separate files, because their policy forbids inline scripts. */
function writePages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-dev-web-'))
  for (const page of pages) {
    const base = `/${dirname(page)}/`
    const source = readFileSync(join(here, page), 'utf8').replace(
      /(src|href)="(\.{1,2}\/[^"]+)"/g,
      (_all, name, link) => `${name}="${new URL(link, `http://page${base}`).pathname}"`,
    )
    const added = `<meta property="csp-nonce" nonce="__CSP_NONCE__">
    <script type="module" src="/@vite/client"></script>
    <script type="module" src="${preamble}"></script>`
    mkdirSync(join(folder, dirname(page)), { recursive: true })
    writeFileSync(join(folder, page), source.replace('</title>', `</title>\n    ${added}`))
  }
  return folder
}
