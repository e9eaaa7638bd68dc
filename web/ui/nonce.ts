/** The nonce of the page's answer. Vite writes the meta tag, the server its value. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/** Mantine's scroll lock writes its style through `get-nonce`, which knows no other way to be told. */
export function shareNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: pageNonce() })
}
