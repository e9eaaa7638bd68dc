import { limits } from '@atrium/contract/limits.ts'
import type { NotificationData } from '@mantine/notifications'
import { i18next } from '../text/i18n.ts'

/** Fetched with the first notice: the sign-in screen rarely has one, and must come quickly. */
const library = () => import('@mantine/notifications')

let isNeeded = false
const waiting = new Set<() => void>()

/** Whether there was a notice yet: until then nothing need be there to show one. */
export const firstNotice = {
  wasThere: () => isNeeded,
  subscribe: (heard: () => void) => {
    waiting.add(heard)
    return () => {
      waiting.delete(heard)
    }
  },
}

async function show(data: NotificationData): Promise<void> {
  isNeeded = true
  for (const heard of waiting) heard()
  const { notifications } = await library()
  notifications.show({ closeButtonProps: { 'aria-label': i18next.t('Close') }, ...data })
}

/** Short words at the edge of the screen. Where something must be read, it stands on the page instead. */
export const notice = {
  done: (message: string, durationMs: number = limits.toastMs) =>
    show({ message, color: 'var(--green-mark)', autoClose: durationMs }),
  warning: (message: string, durationMs: number = limits.toastMs) =>
    show({ message, color: 'var(--amber-mark)', autoClose: durationMs, role: 'alert' }),
  refused: (message: string, durationMs: number = limits.toastMs) =>
    show({ message, color: 'var(--red-mark)', autoClose: durationMs, role: 'alert' }),
  /** What a form found wrong stands in the middle, under the form; the same words are not said twice. */
  invalid: (message: string, durationMs: number = limits.toastMs) =>
    show({
      id: message,
      message,
      color: 'var(--amber-mark)',
      autoClose: durationMs,
      role: 'alert',
      position: 'bottom-center',
    }),
  clear: async () => {
    if (isNeeded) (await library()).notifications.clean()
  },
}
