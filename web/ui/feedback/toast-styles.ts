/** The styles of toasts, which appear on the sign-in screen too. */
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import './toasts.css'
