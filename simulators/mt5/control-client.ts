import type { Mt5Control } from './control.ts'

/** The same functions as the control object, for another process. */
export type Mt5ControlClient = {
  [Name in keyof Mt5Control]: (
    ...values: Parameters<Mt5Control[Name]>
  ) => Promise<Awaited<ReturnType<Mt5Control[Name]>>>
}

/** `url` is the `controlUrl` that the simulator gave, such as `http://127.0.0.1:40123`. */
export function connectMt5Control(url: string): Mt5ControlClient {
  const call = async (name: string, values: unknown[]): Promise<unknown> => {
    const response = await fetch(`${url}/control/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
    if (!response.ok) throw new Error(`The simulator refused ${name}: ${response.status} ${await response.text()}`)
    const { result } = (await response.json()) as { result: unknown }
    return result
  }
  return new Proxy({} as Mt5ControlClient, {
    // `then` must stay absent, or awaiting the client itself would be taken for a call.
    get: (_client, name) =>
      typeof name === 'string' && name !== 'then' ? (...values: unknown[]) => call(name, values) : undefined,
  })
}
