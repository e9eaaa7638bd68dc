/** A schema that is built when something first reads it (web/call-schemas.ts). */
export function lazySchema<Schema extends object>(build: () => Schema): Schema {
  let built: Schema | undefined
  const schema = (): Schema => {
    built ??= build()
    return built
  }
  return new Proxy({} as Schema, {
    get: (_, name) => Reflect.get(schema(), name),
    set: (_, name, value) => Reflect.set(schema(), name, value),
    has: (_, name) => Reflect.has(schema(), name),
    defineProperty: (_, name, property) => Reflect.defineProperty(schema(), name, property),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
  })
}
