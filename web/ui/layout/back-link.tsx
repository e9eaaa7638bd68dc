import { Button, type ButtonProps } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { LinkElement } from './link-button.tsx'

/** From what is looked at back to its list, where both do not stand beside each other. */
export const BackLink = createLink((props: ButtonProps & LinkElement) => (
  <Button
    component="a"
    variant="subtle"
    size="xs"
    leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />}
    {...props}
  />
))
