import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

export type LinkElement = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color' | 'style'> & {
  ref?: Ref<HTMLAnchorElement>
}

/** A button that goes somewhere: a real link, so that it opens in a new tab as links do. */
export const LinkButton = createLink((props: ButtonProps & LinkElement) => <Button component="a" {...props} />)

export const TextLink = createLink((props: AnchorProps & LinkElement) => <Anchor {...props} />)
