import { limits } from '@atrium/contract/limits.ts'
import type { NotificationData } from '@mantine/notifications'
import { i18n } from '../text/i18n.ts'

/** Loaded with the first toast, to keep the first load of the sign-in screen small. */
const library = () => import('@mantine/notifications')

let isNeeded = false
const waiting = new Set<() => void>()

/** Signals the first toast: until then no container is mounted. */
export const firstToast = {
  wasThere: () => isNeeded,
  subscribe: (listener: () => void) => {
    waiting.add(listener)
    return () => {
      waiting.delete(listener)
    }
  },
}

async function show(data: NotificationData): Promise<void> {
  isNeeded = true
  for (const listener of waiting) listener()
  // A toast that cannot be loaded is not worth an error of its own.
  const found = await library().catch(() => undefined)
  found?.notifications.show({ closeButtonProps: { 'aria-label': i18n.t('Close') }, ...data })
}

/** Short toasts at the edge of the screen. Messages that must be read are shown on the page instead. */
export const toast = {
  done: (message: string, durationMs: number = limits.toastMs) =>
    show({ message, color: 'var(--green-mark)', autoClose: durationMs }),
  warning: (message: string, durationMs: number = limits.toastMs) =>
    show({ message, color: 'var(--amber-mark)', autoClose: durationMs, role: 'alert' }),
  refused: (message: string, durationMs: number = limits.toastMs) =>
    show({ message, color: 'var(--red-mark)', autoClose: durationMs, role: 'alert' }),
  /** A form's errors, centred at the bottom; the same message is not shown twice at a time. */
  invalid: (message: string, durationMs: number = limits.toastMs) =>
    show({
      id: message,
      message,
      color: 'var(--amber-mark)',
      autoClose: durationMs,
      role: 'alert',
      position: 'bottom-center',
    }),
  /** Ends an `invalid` toast early. */
  withdraw: async (message: string) => {
    ;(await library().catch(() => undefined))?.notifications.hide(message)
  },
  clear: async () => {
    if (isNeeded) (await library().catch(() => undefined))?.notifications.clean()
  },
}
