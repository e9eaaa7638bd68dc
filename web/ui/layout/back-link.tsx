import { Button, type ButtonProps } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { LinkElement } from './link-button.tsx'

/** Returns from a detail to its list, in layouts that do not show both. */
export const BackLink = createLink((props: ButtonProps & LinkElement) => (
  <Button
    component="a"
    variant="subtle"
    size="xs"
    leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />}
    {...props}
  />
))
