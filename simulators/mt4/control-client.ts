import { type ControlClient, connectControl } from '../metatrader/control-client.ts'
import type { Mt4Control } from './control.ts'

export type Mt4ControlClient = ControlClient<Mt4Control>

export function connectMt4Control(url: string): Mt4ControlClient {
  return connectControl<Mt4Control>(url)
}
