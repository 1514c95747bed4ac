/** Words of requests for software, files, pages and messages, in the form of the thesaurus. */
export const goals = `
repository fork copy : own_copy my_copy
repository star : star bookmark
pull_request create : propose proposal merge_my
merge pull_request : bring_into land
review pull_request approve : approve look_over reviewer
workflow run trigger dispatch : deploy rerun start_again
job log build failure : build_fail ci_fail why_did pipeline_failed build_broke
release latest version : newest_version latest_version current_version
dependency vulnerability alert security : vulnerable vulnerability vulnerabilities insecure cve
secret scanning alert : leaked credentials
notification list : waits_for_me waiting_for_me attention unread news_for
user me authenticated profile : who_am_i my_account logged_in
issue create : bug file_a broken does_nothing complain
issue update close : close reopen
commit list history : last_commits who_changed checked_in
gist snippet : snippet paste
unstage reset staging : unstage out_of_the_staging
stash : put_aside
tag release : tag
blame line : who_wrote
branch switch checkout : go_over_to over_to change_to jump_to work_on
branch create : start_a_branch
working tree status : clean dirty
page navigate open url : open_the_page visit go_to site
back history : return
wait text appear : hold_on until shows_up appears
dialog handle accept dismiss : pop_up popup alert confirm
network requests list : api_calls calls_does talks_to loads
console messages log : javascript_errors errors_on
tabs tab new : another_tab
viewport resize window : phone_size mobile
screenshot take : picture_of capture photo_of
form fill fields : complete_the registration application
upload file : attach
javascript evaluate run : javascript script
extract content url : text_of
crawl site pages : all_pages whole_site go_through
map site urls : subpages pages_does
search web internet : news latest information_about happened facts look_up online price_of
file read content text : what_does what_is_in says
file write create : save
directory list contents : what_is_in
file info metadata modified : last_changed
file search pattern : every_pdf
folder directory : folder
archive zip extract : unzip unpack
zip compress : zip
document convert format : turn_into as_pdf
pdf document page : pdf
spreadsheet cell range sheet : excel spreadsheet cell column
slide presentation : slide slides deck powerpoint
chart create : chart graph plot
print printer : print printer
scan ocr text image : scan scanned recognise
translate text : translate
transcribe audio speech : transcribe transcript dictate
speech text voice : read_aloud speak voice
image generate create : draw picture illustration
image edit resize crop : crop shrink background
video create edit : clip
sms message send text : sms text
call phone start : ring
email send message : write_to mail
email reply : answer
email forward : forward
email archive : archive clean_up
email spam junk : spam junk
inbox unread list : unread new_mail
event create calendar : meet
event update move : reschedule
event delete cancel : cancel call_off
availability free busy slot : free time_for
meeting join link : meeting call
channel message post : tell_the announce
member invite add : invite
member remove kick : kick throw
query run database : query
table create : table
row insert record : add_row
row delete record : remove_row
index slow query : slow
backup create snapshot : backup
restore backup : restore
server restart service : restart
service status health : down up running
log tail search : logs
metric graph dashboard : cpu memory_usage
alert silence acknowledge : silence quiet
incident create : outage
oncall schedule : on_call
deploy rollout release : deploy ship
scale replicas : more_instances
secret set key : password api_key
domain dns record : domain
certificate ssl : certificate
cost bill usage : spend cloud_bill
user create account : new_user hire
user deactivate disable : leaves left_the_company
role grant permission access : rights may_see allow
role revoke permission access : not_see take_away
password reset : forgot_password
login session : sign_in
entity observation memory add : remember note_that keep
memory delete entities : forget
graph read memory : know memorised memorized
relation create memory : works_for married_to belongs_to friend_of
time current timezone : how_late time_is
time convert : if_it_is what_is_it
sum add calculate : add plus
random number : random dice
environment variables : environment
holiday date calendar : holiday
sunrise sunset : sunrise sunset
air quality : air pollution
package version : package library
license : license
paper article search : study paper
citation reference : cite
explain describe definition : mean means meant
quiz question : quiz
course lesson : course lesson class
grade student assignment : grade homework student
printer job : print_job
sensor device : sensor
map image : map
translation language : language
invoke trigger execute function : call_the invoke
recent changes history : lately recently newest
merge pull_request : into_main
create pull_request : propose proposal
`;
