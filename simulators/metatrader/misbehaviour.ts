import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultKind, FaultRule, Waiting } from './faults.ts'

/** A call before its execution, in a form common to all platforms. */
export type Acting<Reply> = {
  request: IncomingMessage
  response: ServerResponse
  waiting: Waiting
  /** Executes, optionally with another comment, as a faulty plugin would. */
  run(comment?: string): Reply
  send(reply: Reply): void
  sendCode(code: number): void
  /** Ends the session and refuses the call for lack of it. */
  loseSession(): void
  /** The start of a truncated answer. */
  garbage: string
}

export function misbehave<Reply>(rule: FaultRule, acting: Acting<Reply>): void {
  const { request, response, waiting, run, send } = acting
  const ms = rule.ms ?? 0
  const hangUp = () => request.socket.destroy()
  const fail = (status: number, text: string) => {
    if (!response.destroyed) response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  const ways: Record<FaultKind, () => void> = {
    delay: () => waiting.after(ms, () => send(run())),
    'late-answer': () => {
      const reply = run()
      waiting.after(ms, () => send(reply))
    },
    'fail-before': () => fail(500, 'Internal Server Error'),
    'drop-before': hangUp,
    'execute-then-drop': () => {
      run()
      hangUp()
    },
    'execute-then-500': () => {
      run()
      fail(500, 'Internal Server Error')
    },
    'execute-then-garbage': () => {
      run()
      fail(200, acting.garbage)
    },
    'answer-code': () => acting.sendCode(rule.code ?? 2),
    'close-session': () => acting.loseSession(),
    'land-after': () => {
      hangUp()
      waiting.after(ms, () => {
        run()
      })
    },
    'rewrite-comment': () => send(run(rule.comment ?? '')),
  }
  ways[rule.kind]()
}
