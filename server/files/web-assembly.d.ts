/** The little of it that is used here; all of it comes with the types of a browser only. */
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
