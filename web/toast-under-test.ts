import { notifications, notificationsStore } from '@mantine/notifications'

/**
 * The message of the next toast.
 * Toasts of other tests, which share the process, are removed first: with five of them, a sixth waits unseen.
 */
export function nextToast(): Promise<unknown> {
  notifications.clean()
  return new Promise((resolve) => {
    const stop = notificationsStore.subscribe(({ notifications: [first] }) => {
      if (!first) return
      stop()
      resolve(first.message)
    })
  })
}
