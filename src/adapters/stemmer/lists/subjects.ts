/** Words of requests about one subject, such as the weather or a wiki, in the form of the thesaurus. */
export const subjects = `
filter rule : always automatically automatic whenever
draft : prepare
page space confluence documentation : wiki intranet handbook
search : described documented written mentioned
append : end
append add create note : thought idea
worklog time_spent timer : hours worked
email message search : messages inbox
email send : mail
issue error event : crash
resource job cron : cron cronjob
accept respond : yes accept
weather forecast : sun sunshine sunny shine snow snowing wind windy cloudy fog
weather alert warning : storm storms flood hurricane warning warnings
air quality pollution : pollution smog clean
translate language : english french german spanish italian portuguese japanese chinese russian dutch swedish finnish polish
rephrase rewrite tone style : friendlier politer formal polite shorter wording sounds
related topics : subjects subject topics
annotation highlight : highlight highlighted underlined marked
subtask : split smaller substep
block user : stranger harass spam
dispute complaint case : complained complain complaints complaint
dns record : subdomain txt mx cname
prometheus metric query : cpu load ram latency throughput
instance : server machine ec2
doi citation reference item : references reference citation bibliography
fulltext full content : whole entire complete
dependency : depends blocked_by link once
stock inventory : stock inventory arrived
discount code : code voucher off
on_call oncall schedule : on_call
get retrieve object : download
`;
