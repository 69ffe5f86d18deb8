import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { ConnectionError } from '../api.ts'

export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'teal', icon: <IconCheck size={18} />, autoClose: 4000 })
}

export function notifyFailure(error: unknown): void {
  // The banner says it already, and for longer.
  if (error instanceof ConnectionError) return
  notifications.show({
    title: 'That did not work',
    message: messageOf(error),
    color: 'red',
    icon: <IconAlertTriangle size={18} />,
    autoClose: 9000,
    role: 'alert',
  })
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
