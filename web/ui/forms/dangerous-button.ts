/** What a button wears whose deed cannot be taken back. */
export const dangerousButton = { color: 'var(--red-fill)', mod: { dangerous: true } }
