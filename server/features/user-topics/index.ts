import { muteTopic } from './mute-topic.ts'
import { setUserTopic } from './set-user-topic.ts'

export const userTopicRoutes = [setUserTopic, muteTopic]
