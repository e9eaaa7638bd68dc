import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { setLanguage } from '../../ui/text/i18n.ts'
import { useSession } from './session.ts'

const appliedKey = 'atrium.colour-scheme-of'

const isScheme = (text: string | null) => text === 'light' || text === 'dark' || text === 'auto'

/**
 * Applies the member's preferences. The colour scheme is applied once per change, so that the switch in the header can
 * still override it on this device; the language selects the texts (numbers and dates: `setReader`).
 */
export function usePreferences(): void {
  const { member } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const { _id, colour_scheme, text_language } = member
  useEffect(() => {
    const choice = `${_id} ${colour_scheme}`
    if (!isScheme(colour_scheme) || localStorage.getItem(appliedKey) === choice) return
    localStorage.setItem(appliedKey, choice)
    setColorScheme(colour_scheme as 'light' | 'dark' | 'auto')
  }, [_id, colour_scheme, setColorScheme])
  useEffect(() => {
    setLanguage(text_language)
  }, [text_language])
}
