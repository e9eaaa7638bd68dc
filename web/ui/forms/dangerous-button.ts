/** What a button wears whose task cannot be taken back. */
export const dangerousButton = { color: 'var(--red-fill)', mod: { dangerous: true } }
