/** The style of a button for an irreversible action. */
export const dangerousButton = { color: 'var(--red-fill)', mod: { dangerous: true } }
