import { type ControlClient, connectControl } from '../metatrader/control-client.ts'
import type { Mt5Control } from './control.ts'

export type Mt5ControlClient = ControlClient<Mt5Control>

export function connectMt5Control(url: string): Mt5ControlClient {
  return connectControl<Mt5Control>(url)
}
