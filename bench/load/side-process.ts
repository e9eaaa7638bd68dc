import { fork } from 'node:child_process'
import { once } from 'node:events'

export type SideProcess<Order, Answer> = { pid: number; order(what: Order): Promise<Answer>; stop(): void }

/** Runs one order at a time in its own process, so that its processor time is not counted as the contestant's. */
export function forkSide<Order extends object, Answer>(file: string): SideProcess<Order, Answer> {
  const child = fork(file)
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended.`)))
  gone.catch(() => undefined) // Ended by the bench; nothing awaits it.
  return {
    pid: child.pid ?? 0,
    async order(what) {
      child.send(what)
      const [message] = (await Promise.race([once(child, 'message'), gone])) as [
        { answer: Answer } | { problem: string },
      ]
      if ('problem' in message) throw new Error(message.problem)
      return message.answer
    },
    stop: () => void child.kill(),
  }
}

export function takeOrders<Order>(act: (order: Order) => Promise<unknown>): void {
  // Undoes the unref in scripts/end-with-launcher.js: between orders only the channel keeps this process alive.
  process.channel?.ref()
  process.on('message', (order: Order) =>
    act(order).then(
      (answer) => process.send?.({ answer }),
      (problem: Error) => process.send?.({ problem: problem.message }),
    ),
  )
}
