import { limits } from '@atrium/contract/limits.ts'
import { notifications } from '@mantine/notifications'

/** Short words at the edge of the screen. Where something must be read, it stands on the page instead. */
export const notice = {
  done: (message: string, durationMs: number = limits.toastMs) =>
    notifications.show({ message, color: 'var(--green-mark)', autoClose: durationMs }),
  warning: (message: string, durationMs: number = limits.toastMs) =>
    notifications.show({ message, color: 'var(--amber-mark)', autoClose: durationMs, role: 'alert' }),
  refused: (message: string, durationMs: number = limits.toastMs) =>
    notifications.show({ message, color: 'var(--red-mark)', autoClose: durationMs, role: 'alert' }),
  clear: () => notifications.clean(),
}
