import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

export type LinkElement = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color' | 'style'> & {
  ref?: Ref<HTMLAnchorElement>
}

/** A link with the look of a button, so that it can be opened in a new tab. */
export const LinkButton = createLink((props: ButtonProps & LinkElement) => <Button component="a" {...props} />)

export const TextLink = createLink((props: AnchorProps & LinkElement) => <Anchor {...props} />)
