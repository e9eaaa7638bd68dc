/** What was answered, and when, on the clock of `performance`. `code` is ours, where the answer has one. */
export type Answered = { at: number; status: number | string; code?: string | undefined; token?: string | undefined }

export type SteadyCallers = { answers: Answered[]; stop(): Promise<void> }

type Caller = { url: string; token: string }

/**
 * Ask without a pause, each one after the other, until stopped: in turn a read, and a write whose answer names what was
 * written, so that it can be held against the rows afterwards.
 */
export function startSteadyCallers(callers: readonly Caller[], pauseMs = 40): SteadyCallers {
  const answers: Answered[] = []
  let isOver = false
  const working = callers.map(async ({ url, token }) => {
    for (let turn = 0; !isOver; turn += 1) {
      answers.push(await (turn % 2 === 0 ? read(url, token) : write(url, token)))
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })
  return {
    answers,
    async stop() {
      isOver = true
      await Promise.all(working)
    },
  }
}

const read = (url: string, token: string) => send(`${url}/members/dashboard`, { headers: bearer(token) })

const write = (url: string, token: string) =>
  send(`${url}/members/get-unique-token`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ token_key: 'transaction_deposit' }),
  })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function send(url: string, init: RequestInit): Promise<Answered> {
  try {
    const answer = await fetch(url, init)
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    const { code, token } = (isJson ? await answer.json() : {}) as { code?: string; token?: string }
    return { at: performance.now(), status: answer.status, code, token }
  } catch (problem) {
    return { at: performance.now(), status: String((problem as Error).cause ?? problem) }
  }
}
