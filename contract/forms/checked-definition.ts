import { definitionShape } from './definition.ts'
import { problemsOfDefinition } from './definition-problems.ts'

/** A form definition whose fields are also consistent with each other. */
export const formDefinition = definitionShape.superRefine((definition, context) => {
  for (const { path, message } of problemsOfDefinition(definition))
    context.addIssue({ code: 'custom', path: [...path], message })
})
