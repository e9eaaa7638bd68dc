/** The CSP nonce of the page. Vite writes the meta tag, the server its value. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/** Mantine's scroll lock writes its style through `get-nonce`, which accepts the nonce only this way. */
export function passNonceToMantine(): void {
  Object.assign(globalThis, { __webpack_nonce__: pageNonce() })
}

/** Zod would compile its schemas, which the CSP blocks and the browser reports. Must run before zod loads. */
export function keepSchemasInterpreted(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
