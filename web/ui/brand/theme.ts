import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'
import { type Accent, accentOf, contexts, shadesOf } from './accent.ts'
import parts from './theme.module.css'

/** All design tokens: no other file of the web defines a colour, size or duration. */

export const defaultAccent = '#1f4fd8'

const neutrals = {
  light: {
    canvas: contexts.light.canvas,
    surface: contexts.light.surface,
    raised: '#ffffff',
    sunken: '#eff1f5',
    line: '#e2e5eb',
    'line-strong': '#c5cad4',
    'line-input': '#868e9c',
    text: '#10151f',
    'text-soft': '#454e5f',
    'text-faint': '#5d6677',
    overlay: 'rgb(16 21 31 / 0.4)',
  },
  dark: {
    canvas: contexts.dark.canvas,
    surface: contexts.dark.surface,
    raised: '#1b2029',
    sunken: '#0f1319',
    line: '#272d38',
    'line-strong': '#3c4452',
    'line-input': '#6d7787',
    text: '#eceff4',
    'text-soft': '#b6bdca',
    'text-faint': '#929bab',
    overlay: 'rgb(0 0 0 / 0.6)',
  },
} as const

/** For Mantine's own parts in dark mode, whose default greys are warmer than ours. */
const darkShades: MantineColorsTuple = [
  neutrals.dark.text,
  neutrals.dark['text-soft'],
  neutrals.dark['text-faint'],
  neutrals.dark['line-input'],
  neutrals.dark['line-strong'],
  neutrals.dark.line,
  neutrals.dark.raised,
  neutrals.dark.surface,
  neutrals.dark.sunken,
  neutrals.dark.canvas,
]

/** Green done, amber waiting, red refused, blue verifying, grey cancelled; used for nothing else. */
const meanings = {
  light: {
    green: { text: '#0d6339', soft: '#e4f5ec', mark: '#15925a' },
    amber: { text: '#7d4a00', soft: '#fcf1da', mark: '#c77f00' },
    red: { text: '#a8231c', soft: '#fceae8', mark: '#d23a30' },
    blue: { text: '#1c4a9e', soft: '#e7effc', mark: '#2f6fde' },
    grey: { text: '#454e5f', soft: '#eceef3', mark: '#7b8494' },
  },
  dark: {
    green: { text: '#74d6a3', soft: '#11281d', mark: '#3fbb7e' },
    amber: { text: '#efbf6a', soft: '#2c2212', mark: '#d79f38' },
    red: { text: '#f69d95', soft: '#321b1a', mark: '#e0675e' },
    blue: { text: '#96befb', soft: '#16233b', mark: '#5d94ec' },
    grey: { text: '#b6bdca', soft: '#222833', mark: '#7d8797' },
  },
} as const

/** For irreversible actions. The red of the dark scheme is too light for white text. */
const dangerous = { '--red-fill': '#c8322a', '--red-on-fill': '#ffffff' }

export type Meaning = keyof (typeof meanings)['light']
type Scheme = keyof typeof neutrals

const space = { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px', '2xl': '32px', '3xl': '48px' }
const sizes = { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px', '2xl': '28px', '3xl': '36px' }
const shadows = {
  light: '0 1px 2px rgb(16 21 31 / 0.06), 0 8px 24px rgb(16 21 31 / 0.1)',
  dark: '0 1px 2px rgb(0 0 0 / 0.4), 0 12px 32px rgb(0 0 0 / 0.5)',
}

const inputText = {
  classNames: { input: parts.input, label: parts.label, description: parts.help, error: parts.error },
}
const floating = { radius: 'md', shadow: 'float', transitionProps: { duration: 120, transition: 'fade-up' as const } }

const components: NonNullable<MantineThemeOverride['components']> = {
  Button: { defaultProps: { size: 'sm' }, classNames: { root: parts.button } },
  Radio: { classNames: { radio: parts.radio } },
  Checkbox: { classNames: { input: parts.checkbox } },
  ActionIcon: { defaultProps: { variant: 'subtle', size: 36 }, classNames: { root: parts.actionIcon } },
  Input: { defaultProps: { size: 'md' }, classNames: { input: parts.input } },
  InputWrapper: { defaultProps: { size: 'md', inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  TextInput: { defaultProps: { size: 'md' }, ...inputText },
  Textarea: { defaultProps: { size: 'md' }, ...inputText },
  PasswordInput: {
    defaultProps: { size: 'md' },
    classNames: { ...inputText.classNames, innerInput: parts.innerInput },
  },
  Select: {
    defaultProps: { size: 'md', comboboxProps: { ...floating, keepMounted: false } },
    classNames: { ...inputText.classNames, option: parts.option, dropdown: parts.floating },
  },
  // Until it is placed, a dropdown lies in a corner, where an early arrow key scrolls it into view. With a fixed strategy
  // that is the corner of the window; otherwise the page would jump to its own corner.
  Combobox: { defaultProps: { floatingStrategy: 'fixed' } },
  Menu: { defaultProps: floating, classNames: { dropdown: parts.floating, item: parts.option } },
  Popover: { defaultProps: floating, classNames: { dropdown: parts.floating } },
  Modal: {
    defaultProps: {
      centered: true,
      radius: 'lg',
      padding: 'xl',
      transitionProps: { duration: 160, transition: 'fade-up' as const },
    },
    classNames: {
      inner: parts.modalInner,
      content: parts.modal,
      header: parts.modalHeader,
      title: parts.modalTitle,
      overlay: parts.overlay,
    },
  },
  Drawer: {
    defaultProps: { position: 'right', padding: 'xl', transitionProps: { duration: 180 } },
    classNames: {
      content: parts.drawer,
      header: parts.modalHeader,
      title: parts.modalTitle,
      overlay: parts.overlay,
    },
  },
  Skeleton: { classNames: { root: parts.skeleton } },
  Notification: { classNames: { root: parts.notification } },
}

/** A workspace's theme: the common tokens and the accent of its brand. */
export function themeOf(brandAccent: string): MantineThemeOverride {
  return createTheme({
    fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
    fontSizes: sizes,
    fontWeights: { regular: '400', medium: '500', bold: '600' },
    lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.35' },
    spacing: space,
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '999px' },
    defaultRadius: 'md',
    shadows: { float: 'var(--shadow-float)' },
    headings: {
      fontWeight: '600',
      textWrap: 'balance',
      sizes: {
        h1: { fontSize: sizes['2xl'], lineHeight: '1.25' },
        h2: { fontSize: sizes.xl, lineHeight: '1.3' },
        h3: { fontSize: sizes.lg, lineHeight: '1.4' },
        h4: { fontSize: sizes.md, lineHeight: '1.45' },
      },
    },
    colors: { accent: shadesOf(brandAccent) as unknown as MantineColorsTuple, dark: darkShades },
    primaryColor: 'accent',
    cursorType: 'pointer',
    respectReducedMotion: true,
    other: { brandAccent },
    components,
  })
}

const prefixed = (prefix: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${prefix}${name}`, value]))

function accentVariables(accent: Accent): Record<string, string> {
  return {
    '--accent-fill': accent.fill,
    '--accent-fill-hover': accent.fillHover,
    '--accent-on-fill': accent.onFill,
    '--accent-text': accent.text,
    '--accent-soft': accent.soft,
    '--accent-line': accent.line,
    '--mantine-color-accent-filled': accent.fill,
    '--mantine-color-accent-filled-hover': accent.fillHover,
    '--mantine-color-accent-light': accent.soft,
    // Text contrast is checked against the soft background only.
    '--mantine-color-accent-light-hover': accent.soft,
    '--mantine-color-accent-light-color': accent.text,
    '--mantine-color-accent-text': accent.text,
    '--mantine-color-accent-outline': accent.text,
    '--mantine-primary-color-contrast': accent.onFill,
    '--mantine-color-anchor': accent.text,
  }
}

function schemeVariables(scheme: Scheme, brandAccent: string): Record<string, string> {
  const neutral = neutrals[scheme]
  const meaning = Object.entries(meanings[scheme]).flatMap(([name, { text, soft, mark }]) => [
    [`--${name}-text`, text],
    [`--${name}-soft`, soft],
    [`--${name}-mark`, mark],
  ])
  return {
    ...prefixed('', neutral),
    ...Object.fromEntries(meaning),
    ...accentVariables(accentOf(brandAccent, scheme)),
    '--shadow-float': shadows[scheme],
    '--mantine-color-body': neutral.canvas,
    '--mantine-color-text': neutral.text,
    '--mantine-color-bright': neutral.text,
    '--mantine-color-dimmed': neutral['text-faint'],
    '--mantine-color-placeholder': neutral['text-faint'],
    '--mantine-color-default': neutral.surface,
    '--mantine-color-default-hover': neutral.sunken,
    '--mantine-color-default-color': neutral.text,
    '--mantine-color-default-border': neutral['line-strong'],
    '--mantine-color-error': meanings[scheme].red.text,
    '--mantine-color-success': meanings[scheme].green.text,
    '--mantine-color-disabled': neutral.sunken,
    '--mantine-color-disabled-color': neutral['text-faint'],
    '--mantine-color-disabled-border': neutral.line,
  }
}

/** Mantine writes these into one style element with the response's CSP nonce; CSS modules use them by name. */
export const themeVariables: CSSVariablesResolver = (theme) => {
  const brandAccent: string = theme.other.brandAccent ?? defaultAccent
  return {
    variables: {
      ...dangerous,
      ...prefixed('space-', space),
      ...prefixed('size-', sizes),
      '--radius': '8px',
      '--radius-card': '12px',
      '--motion': '150ms cubic-bezier(0.2, 0, 0, 1)',
      '--sidebar-width': '248px',
      '--sidebar-folded': '64px',
      '--header-height': '56px',
      '--bottom-bar-height': '60px',
      '--content-width': '1200px',
    },
    light: schemeVariables('light', brandAccent),
    dark: schemeVariables('dark', brandAccent),
  }
}
