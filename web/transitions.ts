import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** The transitions of Mantine that its components or our theme name. */
export const transitions = [
  'fade',
  'fade-down',
  'fade-up',
  'pop',
  'pop-top-right',
  'slide-down',
  'slide-left',
  'slide-right',
  'slide-up',
]

/** Leaves out the other transitions, which every first load would contain. */
export const fewTransitions: Plugin = {
  name: 'atrium-few-transitions',
  apply: 'build',
  load: {
    filter: { id: /components\/Transition\/transitions\.mjs$/ },
    async handler(id) {
      const all = (await import(pathToFileURL(id).href)) as { transitions: Record<string, unknown> }
      const used = Object.fromEntries(transitions.map((name) => [name, all.transitions[name]]))
      return `export const transitions = ${JSON.stringify(used)}`
    },
  },
}
