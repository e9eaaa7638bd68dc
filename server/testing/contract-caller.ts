import type { Call, CallAnswer, CallInput } from '@atrium/contract/call.ts'

/** Somebody who calls a process over the network by the contract of this version, whichever version answers. */
export type ContractCaller = {
  call<C extends Call>(call: C, input: CallInput<C>, token?: string): Promise<CallAnswer<C>>
  graph<Data>(query: string, token: string): Promise<Data>
}

export function callerAt(url: string): ContractCaller {
  async function send(path: string, token: string | undefined, body?: object): Promise<unknown> {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    async call(call, input, token) {
      const rest: Record<string, unknown> = { ...(input as object) }
      const path = call.path.replace(/:([a-z_]+)/g, (_, name: string) => {
        const value = String(rest[name])
        delete rest[name]
        return value
      })
      const search = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])
      const sent =
        call.method === 'POST' ? send(path, token, rest) : send(`${path}?${new URLSearchParams(search)}`, token)
      return call.answer.parse(await sent) as CallAnswer<typeof call>
    },
    async graph<Data>(query: string, token: string) {
      const { data, errors } = (await send('/graph', token, { query })) as { data: Data; errors?: object[] }
      if (errors) throw new Error(`The query was refused: ${JSON.stringify(errors)}`)
      return data
    },
  }
}
