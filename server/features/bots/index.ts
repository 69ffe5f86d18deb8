import { createBot } from './create-bot.ts'
import { deactivateBot } from './deactivate-bot.ts'
import { getBotApiKey } from './get-bot-api-key.ts'
import { getBots } from './get-bots.ts'
import { regenerateBotApiKey } from './regenerate-bot-api-key.ts'
import { updateBot } from './update-bot.ts'

export const botRoutes = [getBots, createBot, updateBot, deactivateBot, getBotApiKey, regenerateBotApiKey]
