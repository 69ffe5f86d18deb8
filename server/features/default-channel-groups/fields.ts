import { z } from 'zod'

export const GroupName = z.string().trim().min(1, 'Invalid default channel group name').max(60)
export const GroupDescription = z.string().max(1024)
export const ChannelNames = z.array(z.string()).max(500)
