import { deleteQueue } from './delete-queue.ts'
import { getEvents } from './get-events.ts'
import { register } from './register.ts'

export const registerRoutes = [register, getEvents, deleteQueue]
