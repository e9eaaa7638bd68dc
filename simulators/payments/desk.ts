import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { closeServer, listen, readText } from '../metatrader/http-server.ts'

/** Shared by all payment simulators: an HTTP server, orders in memory, webhook events, and faults. */

export type Faults = {
  /** Delays answers to calls. */
  slowMs: number
  /** Executes the call and drops its answer. */
  dropAnswer: boolean
  /** Refuses every connection with 503. */
  isDown: boolean
  /** Answers with invalid content. */
  malformed: 'no' | 'html' | 'empty'
  /** Sends no webhook events. */
  dropWebhookEvents: boolean
}

export const noFaults: Faults = {
  slowMs: 0,
  dropAnswer: false,
  isDown: false,
  malformed: 'no',
  dropWebhookEvents: false,
}

export type SimulatedOrder = {
  attempt: string
  reference: string
  amount: string
  currency: string
  notifyUrl: string
  returnUrl: string
  cancelUrl: string
  state: string
  /** Further data of the provider about the order. */
  more: Record<string, string>
}

export type Sent = { status: number; body: string }

/** Notifies the portal and returns its answer, status 0 without one. Real providers repeat; here the tests decide. */
export async function sendWebhook(request: {
  url: string
  method?: string
  type?: string
  body?: string
  headers?: Record<string, string>
}): Promise<Sent> {
  try {
    const answer = await fetch(request.url, {
      method: request.method ?? 'POST',
      ...(request.body !== undefined && { body: request.body }),
      headers: { ...(request.type && { 'content-type': request.type }), ...request.headers },
      signal: AbortSignal.timeout(10_000),
    })
    return { status: answer.status, body: await answer.text() }
  } catch {
    return { status: 0, body: '' }
  }
}

export type Exchange = {
  method: string
  path: string
  query: URLSearchParams
  body: string
  headers: IncomingMessage['headers']
}
export type Answer = {
  status?: number
  type?: string
  body?: string
  location?: string
  headers?: Record<string, string>
}

export type PaymentEndpoint = { url: string; port: number; stop(): Promise<void> }

/** Pages and calls of one provider. Faults affect calls only, since people use the pages. */
export async function openPaymentEndpoint(
  port: number,
  faults: () => Faults,
  serve: (exchange: Exchange) => Promise<Answer | null> | Answer | null,
  isCall: (path: string) => boolean,
): Promise<PaymentEndpoint> {
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://simulator')
    const body = await readText(request)
    const exchange = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body,
      headers: request.headers,
    }
    const { slowMs, dropAnswer, isDown, malformed } = isCall(url.pathname) ? faults() : noFaults
    if (isDown) {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Service Unavailable</h1>')
      return
    }
    const answer = await serve(exchange)
    if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs))
    if (dropAnswer) {
      response.destroy()
      return
    }
    if (malformed !== 'no') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(malformed === 'html' ? '<html>Maintenance</html>' : '')
      return
    }
    send(response, answer)
  }
  const bound = await listen(server, port)
  return { url: `http://127.0.0.1:${bound}`, port: bound, stop: () => closeServer(server, () => undefined) }
}

function send(response: ServerResponse, answer: Answer | null): void {
  if (!answer) {
    response.writeHead(404).end()
    return
  }
  const { status = 200, type = 'application/json', body = '', location, headers } = answer
  response
    .writeHead(location ? 303 : status, { 'content-type': type, ...headers, ...(location && { location }) })
    .end(body)
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export type Button = { does: string; label: string; isMain?: boolean }

/** The member's page instead of the provider's. Plain forms, which work in every browser. */
export function hostedPage(
  provider: string,
  order: SimulatedOrder,
  path: string,
  buttons: readonly Button[],
  note = '',
): Answer {
  const rows = buttons
    .map(
      ({ does, label, isMain }) =>
        `<button name="do" value="${does}"${isMain ? ' class="main"' : ''}>${escaped(label)}</button>`,
    )
    .join('\n')
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${provider} (simulated)</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body{font:16px/1.5 system-ui,sans-serif;background:#eef1f5;color:#16202c;margin:0;display:grid;place-items:start center;padding:48px 16px}
main{background:#fff;border:1px solid #d5dbe3;border-radius:12px;padding:24px;max-width:440px;width:100%;box-sizing:border-box}
h1{font-size:20px;margin:0 0 4px}p{margin:4px 0;color:#52606f}.amount{font-size:28px;font-weight:600;color:#16202c;margin:16px 0}
form{display:grid;gap:8px;margin-top:16px}button{font:inherit;padding:10px;border:1px solid #b9c3cf;border-radius:8px;background:#fff;cursor:pointer}
button.main{background:#0b6e6e;border-color:#0b6e6e;color:#fff}</style></head><body><main>
<h1>${provider}</h1><p>A simulated payment page. No money moves.</p>
<p class="amount">${escaped(order.amount)} ${escaped(order.currency)}</p>
<p>Order ${escaped(order.attempt)}</p><p role="status">${escaped(note)}</p>
<form method="post" action="${path}">${rows}</form></main></body></html>`
  return { type: 'text/html; charset=utf-8', body }
}
