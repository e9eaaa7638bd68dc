/** Calls the functions of a simulator's control object from another process. */
export type ControlClient<Control> = {
  [Name in keyof Control]: Control[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : never
}

/** `url` is the simulator's `controlUrl`, such as `http://127.0.0.1:40123`. */
export function connectControl<Control>(url: string): ControlClient<Control> {
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
  return new Proxy({} as ControlClient<Control>, {
    // `then` must stay undefined, or `await` on the client would call it.
    get: (_client, name) =>
      typeof name === 'string' && name !== 'then' ? (...values: unknown[]) => call(name, values) : undefined,
  })
}
