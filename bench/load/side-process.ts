import { fork } from 'node:child_process'
import { once } from 'node:events'

export type SideProcess<Order, Answer> = { pid: number; order(what: Order): Promise<Answer>; stop(): void }

/** Takes one order after the other, in a process of its own: what it takes of a core is never that of whoever is measured. */
export function forkSide<Order extends object, Answer>(file: string): SideProcess<Order, Answer> {
  const child = fork(file)
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended.`)))
  gone.catch(() => undefined) // Ended by us, nobody waits for it.
  return {
    pid: child.pid ?? 0,
    async order(what) {
      child.send(what)
      const [told] = (await Promise.race([once(child, 'message'), gone])) as [{ answer: Answer } | { problem: string }]
      if ('problem' in told) throw new Error(told.problem)
      return told.answer
    },
    stop: () => void child.kill(),
  }
}

export function takeOrders<Order>(act: (order: Order) => Promise<unknown>): void {
  // What scripts/end-with-launcher.js lets go of: between two orders the channel alone keeps this process alive.
  process.channel?.ref()
  process.on('message', (order: Order) =>
    act(order).then(
      (answer) => process.send?.({ answer }),
      (problem: Error) => process.send?.({ problem: problem.message }),
    ),
  )
}
