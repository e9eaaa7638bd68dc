/** The nonce of the page's answer. Vite writes the meta tag, the server its value. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/** Mantine's scroll lock writes its style through `get-nonce`, which knows no other way to be told. */
export function shareNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: pageNonce() })
}

/** Zod tries to compile its schemas, which the content policy refuses and the browser reports. Told so before zod loads. */
export function keepSchemasInterpreted(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
