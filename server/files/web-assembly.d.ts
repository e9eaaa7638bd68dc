/** The part of the API used here; the full types come only with the browser's. */
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
